/**
 * Makes a plan of a program. {@link dev.bluebell.program.compile.Compiler} knows statements, {@code
 * Emitter} where values live, and each {@code Guard} how something is done on a condition.
 */
@NullMarked
package dev.bluebell.program.compile;

import org.jspecify.annotations.NullMarked;
