/** Descriptions of the command line for other tools: a man page and shell completions. */
@NullMarked
package dev.bluebell.cli.manual;

import org.jspecify.annotations.NullMarked;
