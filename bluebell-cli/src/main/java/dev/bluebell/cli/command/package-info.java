/** The common base of all commands: running, printing and failing, and shared options. */
@NullMarked
package dev.bluebell.cli.command;

import org.jspecify.annotations.NullMarked;
