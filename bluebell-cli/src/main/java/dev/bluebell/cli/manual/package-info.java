/** What other programs are told of the command line: a man page and completions for shells. */
@NullMarked
package dev.bluebell.cli.manual;

import org.jspecify.annotations.NullMarked;
