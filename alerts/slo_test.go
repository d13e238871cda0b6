package alerts

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var counters = Counters{Errors: Selector{Metric: "errors_total"}, Total: Selector{Metric: "requests_total"}}

func valid() SLO {
	return SLO{Name: "errors", Service: "checkout", Objective: 0.99, Period: DefaultPeriod, Indicator: counters}
}

// TestValidate words each refusal.
func TestValidate(t *testing.T) {
	for want, change := range map[string]func(*SLO){
		"": func(*SLO) {},
		`name: "a b" is no name; allowed: letters`:                                                       func(s *SLO) { s.Name = "a b" },
		`service: "1" is no name; allowed: letters`:                                                      func(s *SLO) { s.Service = "1" },
		`alert: "a-b" is no name of an alert; allowed: letters`:                                          func(s *SLO) { s.Alert = "a-b" },
		`objective: "1" is out of range; allowed: between 0 and 1`:                                       func(s *SLO) { s.Objective = 1 },
		`objective: "99.9" is out of range`:                                                              func(s *SLO) { s.Objective = 99.9 },
		`objective: "0.93" is too low for the alert over 1h: 14.4 * (1 - 0.93) = 1.008, and no error ra`: func(s *SLO) { s.Objective = 0.93 },
		`period: "3d" is too short; allowed: longer than the longest window, 3d`:                         func(s *SLO) { s.Period = 3 * day },
		`min_requests: "-1" is too small; allowed: 0 or more`:                                            func(s *SLO) { s.MinRequests = -1 },
		`traffic_drop_ratio: "1" is out of range; allowed: from 0 to below 1`:                            func(s *SLO) { s.DropRatio = 1 },
		`errors: has to be given, or good, and not both`:                                                 func(s *SLO) { s.Indicator = Counters{Total: counters.Total} },
		`errors: has to be given, or good, and not bot`:                                                  func(s *SLO) { s.Indicator = Counters{counters.Errors, counters.Errors, counters.Total} },
		`total: is missing; allowed: a counter of all requests`:                                          func(s *SLO) { s.Indicator = Counters{Errors: counters.Errors} },
		`good: "a:b" is recorded by a rule; allowed: a raw counter`:                                      func(s *SLO) { s.Indicator = Counters{Good: Selector{Metric: "a:b"}, Total: counters.Total} },
		`histogram: is missing; allowed: the name of a histogram`:                                        func(s *SLO) { s.Indicator = Buckets{Threshold: 1} },
		`histogram: "a_bucket" is one of a histogram's series; allowed: its name without _bucket`:        func(s *SLO) { s.Indicator = Native{Selector{Metric: "a_bucket"}, 1} },
		`threshold: "-1" is out of range; allowed: above 0`:                                              func(s *SLO) { s.Indicator = Native{Selector{Metric: "a"}, -1} },
	} {
		s := valid()
		change(&s)
		problems := s.Validate()
		switch {
		case want == "" && len(problems) > 0:
			t.Errorf("refused: %v", problems)
		case want != "" && (len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), want)):
			t.Errorf("%q, want %q", problems, want)
		}
	}
}

// TestEveryPairCanFire: where an objective is accepted, a total outage raises
// each of the four alerts; where it is refused, one of them never fires.
func TestEveryPairCanFire(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := valid()
		s.Objective = rapid.Float64Range(0.5, 0.99999).Draw(t, "objective")
		s.Period = time.Duration(rapid.IntRange(4, 90).Draw(t, "days")) * day
		can := true
		for _, p := range Pairs() {
			_, ok := p.Detection(s, 1, 0)
			can = can && ok
		}
		if accepted := len(s.Validate()) == 0; accepted != can {
			t.Fatalf("objective %g over %v: accepted %t, can fire %t", s.Objective, s.Period, accepted, can)
		}
	})
}

// TestBound matches the spellings of a bound, and no other bound.
func TestBound(t *testing.T) {
	for _, upper := range []float64{0.005, 0.25, 0.5, 1, 2, 2.5, 10, 100, 1e6} {
		m := bound(upper)
		match := func(text string) bool { return text == m.Value }
		if m.Op == "=~" {
			match = regexp.MustCompile("^(?:" + m.Value + ")$").MatchString
		}
		whole := fmt.Sprintf("%.0f", upper)
		spellings := []string{number(upper)}
		if fmt.Sprint(upper) == whole {
			spellings = append(spellings, whole, whole+".0")
		}
		for _, text := range spellings {
			if !match(text) {
				t.Errorf("%s does not match %q", m, text)
			}
		}
		for _, text := range []string{"+Inf", "1" + whole, whole + "0", whole + "x0", whole + ".5", ""} {
			if text != number(upper) && match(text) {
				t.Errorf("%s matches %q", m, text)
			}
		}
	}
}
