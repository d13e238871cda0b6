package oracle_test

import (
	"context"
	"math/rand/v2"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/promengine/api"
)

// TestPromtoolQueries asks with the genuine promtool, without any times, the
// handler on the wall clock: what it knows of is months away.
func TestPromtoolQueries(t *testing.T) {
	tool := promtool(t)
	g := &generator{Rand: rand.New(rand.NewPCG(1, 2))}
	store := new(promengine.Store)
	for i, samples := range g.scrapes(scrapes) {
		fill(t, store, append(samples, oddities(i)...))
	}
	end := morning.Add((scrapes - 1) * 15 * time.Second)
	a := api.New(api.Options{Source: func(context.Context) (api.State, error) {
		return api.State{Store: store, Now: end, Wall: time.Now()}, nil
	}})
	server := httptest.NewServer(a.Shifted())
	defer server.Close()
	for _, c := range []struct {
		args []string
		want string // a regular expression
	}{
		{[]string{"instant", server.URL, "a_total"}, `(?m)^a_total\{job="x", pod="1"\} => [0-9.]+ @\[`},
		{[]string{"instant", server.URL, "native"}, `native\{job="y", pod="."\} => Count: [0-9.]+, Sum: `},
		{[]string{"instant", server.URL, "time()"}, `scalar: 17676035[0-9.]+ @\[`},
		{[]string{"range", server.URL, "a_total", "--step=1m"}, `(?s)a_total\{job="x", pod="1"\} =>\n([0-9.]+ @\[[0-9.]+\]\n){5}`},
		{[]string{"series", server.URL, "--match=a_total"}, `(?m)^\{__name__="a_total", job="x", pod="1"\}$`},
		{[]string{"labels", server.URL, "job"}, `^x\ny\n$`},
		{[]string{"instant", server.URL, "a_total{"}, `bad_data: invalid parameter "query": 1:9: parse error`},
	} {
		// promtool fails where the query does; the text tells.
		out, _ := exec.CommandContext(t.Context(), tool, append([]string{"query"}, c.args...)...).CombinedOutput()
		if !regexp.MustCompile(c.want).Match(out) {
			t.Errorf("promtool query %s:\n%s\nwant %s", strings.Join(c.args, " "), out, c.want)
		}
	}
	for _, check := range []string{"healthy", "ready"} {
		if out, err := exec.CommandContext(t.Context(), tool, "check", check, "--url="+server.URL).CombinedOutput(); err != nil {
			t.Errorf("promtool check %s: %v\n%s", check, err, out)
		}
	}
}
