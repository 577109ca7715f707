/**
 * Verifies programs from their installed bytes: a verifier proves a program for every order that
 * the device may choose, a slow machine executes single orders, and mutations remove one barrier of
 * a program. Nothing here depends on the language or its compiler. Programs that run for ever are
 * proved for all laps, by induction over counters with unknown values.
 */
@NullMarked
package dev.bluebell.verifier;

import org.jspecify.annotations.NullMarked;
