/** Output of commands: colours, JSON lines, units, progress. */
@NullMarked
package dev.bluebell.cli.output;

import org.jspecify.annotations.NullMarked;
