/**
 * Experiments: reproduction of a paper, comparisons and attacks. They run from a clone of the
 * sources and are never published.
 */
@NullMarked
package dev.bluebell.lab;

import org.jspecify.annotations.NullMarked;
