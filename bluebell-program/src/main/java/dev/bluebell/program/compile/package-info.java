/**
 * Compiles programs to plans. {@link dev.bluebell.program.compile.Compiler} translates statements,
 * {@code Emitter} places values, and each {@code Guard} implements a kind of condition.
 */
@NullMarked
package dev.bluebell.program.compile;

import org.jspecify.annotations.NullMarked;
