/** Queue entries, completions and commands between hexadecimal and readable text. */
@NullMarked
package dev.bluebell.cli.text;

import org.jspecify.annotations.NullMarked;
