package dev.bluebell.program.offload;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Program;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A service with something in its memory, and a call of a client.
 *
 * @param program with the host's tables in its data
 * @param inputs what the client sends, by where the program's data is installed
 * @param routine what a processor does for the same answers
 * @param answers what a plain Java service would answer, by where the program's data is installed
 */
public record Example(
    Program program,
    Function<Map<Data, Long>, Map<Input<?>, byte[]>> inputs,
    Routine routine,
    Function<Map<Data, Long>, List<byte[]>> answers) {}
