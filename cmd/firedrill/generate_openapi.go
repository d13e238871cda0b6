package main

import "github.com/firedrill/firedrill/internal/admin"

// generateOpenapiCmd writes the OpenAPI document of the API.
type generateOpenapiCmd struct{ output }

// Run writes or checks the file.
func (c *generateOpenapiCmd) Run(s streams) error {
	return c.emit(s, generator{name: "openapi", path: "docs/openapi.json", make: admin.Document})
}
