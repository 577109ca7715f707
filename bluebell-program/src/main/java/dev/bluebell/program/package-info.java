/**
 * The language of NIC programs. A {@link dev.bluebell.program.ProgramBuilder} takes statements
 * about {@link dev.bluebell.program.Operand operands}; {@link dev.bluebell.program.Interpreter}
 * says what they mean; {@code dev.bluebell.program.compile} makes queue entries of them.
 */
@NullMarked
package dev.bluebell.program;

import org.jspecify.annotations.NullMarked;
