/** The {@code bluebell} command: its entry point and what all subcommands share. */
@NullMarked
package dev.bluebell.cli;

import org.jspecify.annotations.NullMarked;
