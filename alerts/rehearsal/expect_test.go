package rehearsal_test

import (
	"strings"
	"testing"

	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/simulator"
)

// expectation reads one expectation, written as a map.
func expectation(t *testing.T, text string) rehearsal.Expectation {
	t.Helper()
	all, err := rehearsal.ParseExpectations("expect.yml", []byte("expectations:\n  - {"+text+"}\n"))
	if err != nil {
		t.Fatalf("%s:\n%v", text, err)
	}
	return all[0]
}

// TestExpectations holds expectations against one rehearsal by hand: the shop is
// ill from 60 to 120 minutes, Burn is pending at 70, fires at 72 and ends at 130.
func TestExpectations(t *testing.T) {
	r := made(incident("shop", 60*minute, 120*minute))
	r.Seed = 7
	fire(r, 1, "shop", 70*minute, 72*minute, 130*minute)
	for text, why := range map[string]string{
		"alert: Burn, scenario: s":                                                   "",
		"alert: Burn, scenario: s, fires_within: 12m":                                "",
		"alert: Burn, scenario: s, fires_within: 11m":                                "seed 7: it fires after 12m, not within 11m, incident it",
		"alert: Burn, scenario: s, budget_at_most: 0.14":                             "",
		"alert: Burn, scenario: s, budget_at_most: 0.12":                             "seed 7: 0.13 of the error budget is spent when it fires, more than 0.12, incident it",
		"alert: Burn, scenario: s, resolves_within: 10m":                             "",
		"alert: Burn, scenario: s, resolves_within: 9m":                              "seed 7: it ends 10m after the incident, not within 9m, incident it",
		"alert: Burn, scenario: s, service: shop, incident: it":                      "",
		"alert: Burn, scenario: s, service: api":                                     "seed 7: there is no such incident",
		"alert: Burn, scenario: s, matchers: 'severity=\"page\"'":                    "",
		"alert: Burn, scenario: s, matchers: 'severity=\"ticket\"'":                  "seed 7: it does not fire, incident it",
		"alert: Burn, scenario: s, never: true":                                      "seed 7: it fires at 1h12m",
		"alert: Busy, scenario: s, never: true":                                      "",
		"alert: Busy, scenario: s":                                                   "seed 7: it does not fire, incident it",
		"alert: Burn, scenario: s, matchers: 'severity=\"ticket\"', never: true":     "",
		"alert: Burn, scenario: s, fires_within: 1h, resolves_within: 1h, seeds: 1%": "",
	} {
		f := expectation(t, text).Check([]*rehearsal.Result{r})
		if f.Why != why || f.OK() != (why == "") {
			t.Errorf("%s: %q, met in %d of %d; want %q", text, f.Why, f.Met, f.Seeds, why)
		}
	}
}

// TestExpectationsOverSeeds: all of them, or a share.
func TestExpectationsOverSeeds(t *testing.T) {
	var results []*rehearsal.Result
	for i := range simulator.Tick(4) {
		r := made(incident("shop", 60*minute, rehearsal.Never))
		fire(r, 1, "shop", (70+i)*minute, (70+i)*minute, rehearsal.Never)
		results = append(results, r)
	}
	for seeds, ok := range map[string]bool{"all": false, "76%": false, "75%": true, "10%": true} {
		f := expectation(t, "alert: Burn, scenario: s, fires_within: 12m, seeds: "+seeds).Check(results)
		if f.Met != 3 || f.Seeds != 4 || f.OK() != ok {
			t.Errorf("seeds %s: met in %d of %d, %t", seeds, f.Met, f.Seeds, f.OK())
		}
	}
	if f := expectation(t, "alert: Burn, scenario: s, resolves_within: 12m").Check(results[:1]); f.OK() || !strings.Contains(f.Why, "does not end") {
		t.Errorf("%+v", f)
	}
	if f := expectation(t, "alert: Burn, scenario: s").Check(nil); f.OK() {
		t.Error("met where nothing was rehearsed")
	}
}

// TestExpectationsRefused: everything that is wrong, with its line.
func TestExpectationsRefused(t *testing.T) {
	_, err := rehearsal.ParseExpectations("expect.yml", []byte(`expectations:
  - {alert: A, scenario: s, fire_within: 5m}
  - {scenario: s, seeds: half}
  - {alert: A, scenario: s, never: true, fires_within: 5m}
  - {alert: A, scenario: s, matchers: 'severity', budget_at_most: 2}
  - {alert: A, scenario: s, resolves_within: soon, seeds: 0%}
`))
	if err == nil {
		t.Fatal("nothing is wrong")
	}
	for _, part := range []string{
		`expect.yml:2: expectations[0].fire_within: "fire_within" is no key of an expectation`, `did you mean "fires_within"`,
		`expect.yml:3: expectations[1].alert: is missing`, `expect.yml:3: expectations[1].seeds: "half" is no share`,
		`expect.yml:4: expectations[2].never: "true" leaves nothing to bound`,
		`expect.yml:5: expectations[3].matchers: "severity" are no matchers`, `expect.yml:5: expectations[3].budget_at_most: `,
		`expect.yml:6: expectations[4].resolves_within: `, `expect.yml:6: expectations[4].seeds: `,
	} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("no %s in\n%v", part, err)
		}
	}
	for _, text := range []string{"", "expect: []", "expectations: 1"} {
		if all, err := rehearsal.ParseExpectations("expect.yml", []byte(text)); err == nil {
			t.Errorf("%q: %v", text, all)
		}
	}
}

// TestWriteExpectations: what is made of a rehearsal is met by it, and says what
// was seen.
func TestWriteExpectations(t *testing.T) {
	r := made(incident("shop", 60*minute, 120*minute))
	r.Scenario = story(t, "bad-deploy")
	fire(r, 2, "shop", 70*minute, 70*minute+30, 121*minute)
	text := string(rehearsal.WriteExpectations([]*rehearsal.Report{rehearsal.Summarize([]*rehearsal.Result{r}, severity(t, "page"))}))
	const want = `expectations:
  - {alert: Burn, matchers: 'severity="page"', scenario: bad-deploy, never: true}
  - {alert: Busy, matchers: 'severity="warning"', scenario: bad-deploy, incident: it, fires_within: 11m, resolves_within: 1m}
`
	if text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	all, err := rehearsal.ParseExpectations("written.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if f := e.Check([]*rehearsal.Result{r}); !f.OK() {
			t.Errorf("%s: %s", e.Name(), f.Why)
		}
	}
}
