package dev.bluebell.program.offload;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Program;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A service with content in its memory, and a call of a client.
 *
 * @param program with the host's tables in its data
 * @param inputs the client's inputs, given the addresses of the program's data
 * @param routine work of a processor for the same answers
 * @param answers answers of a plain Java service, given the addresses of the program's data
 */
public record Example(
    Program program,
    Function<Map<Data, Long>, Map<Input<?>, byte[]>> inputs,
    Routine routine,
    Function<Map<Data, Long>, List<byte[]>> answers) {}
