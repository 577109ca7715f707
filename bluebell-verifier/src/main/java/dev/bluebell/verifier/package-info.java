/**
 * Judges a program by the bytes that are installed: a verifier that proves it under every order
 * that the device may choose, a slow machine that takes those orders, and the program with one of
 * its barriers taken away. Nothing here knows the language or its compiler. Programs that go round
 * for ever are proved for all laps, by induction over counters of which nothing is known.
 */
@NullMarked
package dev.bluebell.verifier;

import org.jspecify.annotations.NullMarked;
