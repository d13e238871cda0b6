package stack

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// stage is a stage of a Dockerfile: a base image and the steps upon it.
type stage struct {
	base, name string
	steps      []step
}

// step is an instruction with its flags, --from and the like, and the rest.
type step struct {
	instruction string
	flags       map[string]string
	rest        string
}

// words splits what copies take.
func (s step) words() []string { return strings.Fields(s.rest) }

// list reads what is written as a list of strings.
func (s step) list() ([]string, error) {
	var words []string
	if err := json.Unmarshal([]byte(s.rest), &words); err != nil {
		return nil, fmt.Errorf("%s %s: %w", s.instruction, s.rest, err)
	}
	return words, nil
}

// find returns the only step of an instruction.
func (s stage) find(t *testing.T, instruction string) step {
	t.Helper()
	var found []step
	for _, step := range s.steps {
		if step.instruction == instruction {
			found = append(found, step)
		}
	}
	if len(found) != 1 {
		t.Fatalf("the Dockerfile has %d steps %s upon %s, want 1", len(found), instruction, s.base)
	}
	return found[0]
}

// readDockerfile takes the Dockerfile apart. It knows no continued lines, no
// heredocs and no variables, and we need none.
func readDockerfile(t *testing.T) []stage {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	var stages []stage
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasSuffix(line, `\`) || strings.Contains(line, "<<") || strings.Contains(line, "${") {
			t.Fatalf("the Dockerfile says more than its reader understands: %s", line)
		}
		s := parseStep(line)
		if s.instruction == "FROM" {
			base, name, _ := strings.Cut(s.rest, " AS ")
			stages = append(stages, stage{base: base, name: name})
			continue
		}
		last := &stages[len(stages)-1]
		last.steps = append(last.steps, s)
	}
	if len(stages) != 2 {
		t.Fatalf("the Dockerfile has %d stages, want 2", len(stages))
	}
	return stages
}

func parseStep(line string) step {
	s := step{flags: map[string]string{}}
	s.instruction, s.rest, _ = strings.Cut(line, " ")
	for strings.HasPrefix(s.rest, "--") {
		var flag string
		flag, s.rest, _ = strings.Cut(s.rest, " ")
		name, value, _ := strings.Cut(flag, "=")
		s.flags[name] = value
	}
	return s
}

// TestDockerfile: the program is built by a Go that is new enough for go.mod,
// and the image has nothing but it and runs as nobody in particular.
func TestDockerfile(t *testing.T) {
	stages := readDockerfile(t)
	match := regexp.MustCompile(`^golang:(1\.\d+\.\d+)-alpine$`).FindStringSubmatch(stages[0].base)
	if match == nil {
		t.Fatalf("%s names no release of Go", stages[0].base)
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	module, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	if older(match[1], module.Go.Version) {
		t.Errorf("go.mod needs Go %s, the image has %s", module.Go.Version, match[1])
	}
	if stages[1].base != "scratch" {
		t.Errorf("the image is made from %s", stages[1].base)
	}
	if user := stages[1].find(t, "USER").rest; !regexp.MustCompile(`^[1-9]\d+:[1-9]\d+$`).MatchString(user) {
		t.Errorf("the image runs as %s", user)
	}
}

// older reports whether a release of Go, as 1.26.7, comes before another one.
func older(a, b string) bool {
	number := func(version string) []int {
		var parts [3]int
		_, _ = fmt.Sscanf(version, "%d.%d.%d", &parts[0], &parts[1], &parts[2]) // 1.26 is 1.26.0
		return parts[:]
	}
	return slices.Compare(number(a), number(b)) < 0
}

// TestOlder guards the comparison above.
func TestOlder(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"1.26.7", "1.26.8", true}, {"1.26.8", "1.26.8", false}, {"1.26.10", "1.26.9", false}, {"1.26.8", "1.27", true}, {"1.27.0", "1.27", false}} {
		if older(c.a, c.b) != c.want {
			t.Errorf("%s before %s: %v", c.a, c.b, !c.want)
		}
	}
}

// TestExposed: the image tells of the ports that the stack publishes.
func TestExposed(t *testing.T) {
	exposed := readDockerfile(t)[1].find(t, "EXPOSE").words()
	var published []string
	for _, port := range load(t).Services["firedrill"].Ports {
		published = append(published, fmt.Sprint(port.Target))
	}
	slices.Sort(published)
	slices.Sort(exposed)
	if !slices.Equal(exposed, published) {
		t.Errorf("exposed %v, published %v", exposed, published)
	}
}

// ignored returns the names in the root of the repository that .dockerignore
// keeps out of the build.
func ignored(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".dockerignore"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			names[strings.TrimPrefix(line, "/")] = true
		}
	}
	for name := range names {
		if strings.ContainsAny(name, "*?[!/") {
			t.Fatalf(".dockerignore says more than its reader understands: %s", name)
		}
	}
	return names
}

// TestIgnored: a build never waits for the history of the repository.
func TestIgnored(t *testing.T) {
	for _, name := range []string{".git", ".ci"} {
		if !ignored(t)[name] {
			t.Errorf("%s goes into the build", name)
		}
	}
}
