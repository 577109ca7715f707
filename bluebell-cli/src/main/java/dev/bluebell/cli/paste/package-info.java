/** Dumps and error lines as people paste them from logs, terminals and debuggers. */
@NullMarked
package dev.bluebell.cli.paste;

import org.jspecify.annotations.NullMarked;
