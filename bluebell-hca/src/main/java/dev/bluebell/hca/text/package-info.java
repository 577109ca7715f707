/** Assembler and disassembler of work queue entries, completions and commands. */
@NullMarked
package dev.bluebell.hca.text;

import org.jspecify.annotations.NullMarked;
