package arch

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// goFile is a Go file of the module, whatever its build tags.
type goFile struct {
	path   string // from the root of the module, with slashes
	source string
}

func (f goFile) folder() string { return path.Dir(f.path) }

func (f goFile) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// imports lists the import paths of the file; a file that does not parse is
// the compiler's business and has none.
func (f goFile) imports() []string {
	tree, err := parser.ParseFile(token.NewFileSet(), f.path, f.source, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	var paths []string
	for _, spec := range tree.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// moduleRoot returns the folder of go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	return root
}

// goFiles reads all Go files of the module that the go command would.
func goFiles(t *testing.T) []goFile {
	t.Helper()
	return readFiles(t, func(name string) bool { return path.Ext(name) == ".go" })
}

// readFiles reads the files of the module whose path wanted accepts. Nested
// modules, test data and hidden folders are not part of it.
func readFiles(t *testing.T, wanted func(name string) bool) []goFile {
	t.Helper()
	root := moduleRoot(t)
	var files []goFile
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != root && isOutside(name) {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil || !wanted(filepath.ToSlash(rel)) {
			return err
		}
		source, err := os.ReadFile(name)
		files = append(files, goFile{path: filepath.ToSlash(rel), source: string(source)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// isOutside reports whether the go command would not look into a folder.
func isOutside(folder string) bool {
	base := filepath.Base(folder)
	if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || slices.Contains([]string{"testdata", "vendor", "node_modules"}, base) {
		return true
	}
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}
