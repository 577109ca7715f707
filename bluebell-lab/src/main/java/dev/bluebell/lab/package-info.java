/**
 * What reproduces a paper, compares and attacks. It is run from a clone of the sources and never
 * published.
 */
@NullMarked
package dev.bluebell.lab;

import org.jspecify.annotations.NullMarked;
