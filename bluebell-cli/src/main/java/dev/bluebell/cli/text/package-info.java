/** Translation of queue entries, completions and commands between hexadecimal and text. */
@NullMarked
package dev.bluebell.cli.text;

import org.jspecify.annotations.NullMarked;
