package main

// scenarioCmd is about scenarios: a field is a subcommand.
type scenarioCmd struct {
	List     scenarioListCmd     `cmd:"" help:"List the scenarios that come with the program."`
	Show     scenarioShowCmd     `cmd:"" help:"Show what an operator knows at the start; with --reveal, what will happen."`
	Validate scenarioValidateCmd `cmd:"" help:"Check scenario files and report everything that is wrong."`
	Start    scenarioStartCmd    `cmd:"" help:"Start a scenario in a running firedrill."`
	Stop     scenarioStopCmd     `cmd:"" help:"End the drill of a running firedrill and see how it went."`
	Restart  scenarioRestartCmd  `cmd:"" help:"Start the scenario of a running firedrill again."`
	Truth    scenarioTruthCmd    `cmd:"" help:"Tell what really went on in the drill of a running firedrill, once it has ended."`
}
