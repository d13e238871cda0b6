// Package pages has nothing but tests: they give the same alerts to
// internal/pager and to Alertmanager's own dispatcher, inhibitor and log of
// notifications, which run on the virtual clock of a bubble, and compare the
// notifications that the two send.
package pages
