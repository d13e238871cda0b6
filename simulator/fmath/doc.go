// Package fmath has the few transcendental functions that the simulation
// needs, bit-identical on every machine.
//
// # Why not package math
//
// math.Exp and math.Log have assembly for some architectures, and even the
// portable code of package math may be compiled with or without fused
// multiply-add: its results differ in the last bit between machines, and one
// such bit is enough to make two traces of the same seed diverge.
//
// The functions here are made of IEEE 754 additions, multiplications and
// divisions only, in a fixed order. Every product that can reach a sum is
// rounded by an explicit conversion, which the language defines to forbid
// fusion; an assignment alone does not.
//
// # How accurate
//
// Exp, Expm1, Log, Sin and Cos are within 1 ulp of the exact value, Sin and
// Cos for arguments up to 2^20 in absolute value. The tests compare them with
// 240-bit arithmetic; the worst they meet is 0.52 ulp for the first three and
// 0.7 ulp for the last two.
//
// # How they work
//
// Each reduces its argument to a small interval, exactly or to about twice the
// precision of a float64, evaluates a Taylor polynomial there, and puts the
// parts together from the smallest to the largest. Exp, Expm1 and Log read the
// coarse part from tables of 128 entries (Tang 1989, 1990 and 1992). The
// tables are generated and proved by the tests (go test -run TestTables
// -update).
package fmath
