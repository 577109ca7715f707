/** Commands that {@code ./bluebell} executes by itself, in a clone of the sources. */
@NullMarked
package dev.bluebell.cli.sources;

import org.jspecify.annotations.NullMarked;
