//go:build e2e

package stack

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// image is what the Dockerfile makes: a folder that becomes the root of the
// file system, and who runs what in it.
type image struct {
	folder     string
	uid, gid   int
	entrypoint []string
	command    []string
}

// build takes the steps of both stages of the Dockerfile.
func build(t *testing.T) image {
	t.Helper()
	stages := readDockerfile(t)
	folders := map[string]string{"": buildContext(t)}
	for _, s := range stages {
		b := builder{folder: t.TempDir(), from: folders}
		if err := os.Chmod(b.folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, step := range s.steps {
			b.take(t, step)
		}
		folders[s.name] = b.folder
		if s.base == "scratch" {
			return b.image
		}
	}
	t.Fatal("no stage of the Dockerfile begins from scratch")
	return image{}
}

// buildContext copies what Docker would be given: the files of the repository,
// without those that .dockerignore names.
func buildContext(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Fatal(err)
	}
	folder, without := t.TempDir(), ignored(t)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		first, _, _ := strings.Cut(name, "/")
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil && !without[first] {
			copyFile(t, filepath.Join(root, name), filepath.Join(folder, name))
		}
	}
	return folder
}

// copyFile copies a file with its mode, and makes its folder.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, info.Mode().Perm()); err != nil {
		t.Fatal(err)
	}
}

// copyTree copies what a folder holds over what is there.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(name, from))
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		copyFile(t, name, target)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// builder takes the steps of a stage in a folder.
type builder struct {
	image
	folder  string            // the root of the stage's file system
	workdir string            // within it
	from    map[string]string // the folders of earlier stages; "" is what Docker is given
}

// take takes a step.
func (b *builder) take(t *testing.T, s step) {
	t.Helper()
	b.image.folder = b.folder
	var err error
	switch s.instruction {
	case "WORKDIR":
		b.workdir = s.rest
		err = os.MkdirAll(filepath.Join(b.folder, b.workdir), 0o755)
	case "COPY":
		b.copy(t, s)
	case "RUN":
		b.run(t, s.rest)
	case "USER":
		b.uid, b.gid = owner(t, s.rest)
	case "EXPOSE":
	case "ENTRYPOINT":
		b.entrypoint, err = s.list()
	case "CMD":
		b.command, err = s.list()
	default:
		t.Fatalf("the Dockerfile has a step that nobody here can take: %s", s.instruction)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// run runs the command of a step as it stands. Only the root of the file system
// is another one, so that commands must not name it.
func (b *builder) run(t *testing.T, command string) {
	t.Helper()
	if strings.Contains(command, " /") {
		t.Fatalf("RUN %s: a path from the root is another one here", command)
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = filepath.Join(b.folder, b.workdir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("RUN %s: %v\n%s", command, err, out)
	}
}

// copy copies files, or what a folder holds, and sets their owner.
func (b *builder) copy(t *testing.T, s step) {
	t.Helper()
	words := s.words()
	sources, to := words[:len(words)-1], words[len(words)-1]
	for _, source := range sources {
		from := filepath.Join(b.from[s.flags["--from"]], source)
		target := filepath.Join(b.folder, to)
		if !filepath.IsAbs(to) {
			target = filepath.Join(b.folder, b.workdir, to)
		}
		info, err := os.Stat(from)
		switch {
		case err != nil:
			t.Fatal(err)
		case !info.IsDir():
			if strings.HasSuffix(to, "/") {
				target = filepath.Join(target, filepath.Base(from))
			}
			copyFile(t, from, target)
		default:
			copyTree(t, from, target)
		}
		if s.flags["--chown"] != "" {
			uid, gid := owner(t, s.flags["--chown"])
			if err := os.Chown(target, uid, gid); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// owner reads uid:gid.
func owner(t *testing.T, text string) (uid, gid int) {
	t.Helper()
	user, group, _ := strings.Cut(text, ":")
	uid, err := strconv.Atoi(user)
	if err != nil {
		t.Fatal(err)
	}
	if gid, err = strconv.Atoi(group); err != nil {
		t.Fatal(err)
	}
	return uid, gid
}
