// Package web models a web service: a load balancer in front of a fleet of
// instances, a cache in front of a database, and an availability target.
package web
