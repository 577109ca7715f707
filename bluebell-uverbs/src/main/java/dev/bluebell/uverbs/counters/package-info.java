/** Counters of flows. */
@NullMarked
package dev.bluebell.uverbs.counters;

import org.jspecify.annotations.NullMarked;
