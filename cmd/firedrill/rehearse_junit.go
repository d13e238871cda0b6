package main

import (
	"bufio"
	"encoding/xml"
	"fmt"
)

// junitSuite is a scenario.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

// junitCase is something that may go wrong in it.
type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitFailure `xml:"failure"`
	Output  string        `xml:"system-out"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
}

// junit writes a verdict as build servers read it: a suite a scenario, a case for
// each incident and one for the time outside.
func (v verdict) junit(w *bufio.Writer) error {
	all := struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}{}
	for _, r := range v.reports {
		suite := junitSuite{Name: r.Scenario.Name}
		for _, c := range v.conditionsOf(r) {
			one := junitCase{Class: r.Scenario.Name, Name: c.name, Output: c.what}
			suite.Tests++
			if c.fails {
				suite.Failures++
				one.Failure = &junitFailure{Message: c.what}
			}
			suite.Cases = append(suite.Cases, one)
		}
		all.Suites = append(all.Suites, suite)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("write verdict: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}
