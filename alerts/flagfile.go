package alerts

import (
	"fmt"
	"strings"
)

// flagFile is the file that a server reads its flags from: prometheus and
// alertmanager put the lines of a file in the place of an argument @FILE, and
// pass over comments. Older ones take an empty line for an argument, so there
// is none.
func (m maker) flagFile(server string) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Flags of %s at speed %s: %[1]s @%[1]s.flags. Made by firedrill generate rules; do not edit.\n", server, number(m.Speed))
	for _, f := range m.Flags() {
		if f.Server == server {
			fmt.Fprintf(&b, "# %s\n%s\n", f.Why, f)
		}
	}
	return []byte(b.String()), nil
}
