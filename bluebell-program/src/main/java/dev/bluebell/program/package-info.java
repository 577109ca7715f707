/**
 * The language of NIC programs. {@link dev.bluebell.program.ProgramBuilder} builds programs from
 * statements with {@link dev.bluebell.program.Operand operands}, {@link
 * dev.bluebell.program.Interpreter} defines their meaning, and {@code dev.bluebell.program.compile}
 * compiles them to queue entries.
 */
@NullMarked
package dev.bluebell.program;

import org.jspecify.annotations.NullMarked;
