/** The tour of the main features, and that of typical mistakes. */
@NullMarked
package dev.bluebell.cli.demo;

import org.jspecify.annotations.NullMarked;
