/** Dumps and error lines pasted from logs, terminals and debuggers. */
@NullMarked
package dev.bluebell.cli.paste;

import org.jspecify.annotations.NullMarked;
