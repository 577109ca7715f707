package dev.bluebell.program.offload;

import dev.bluebell.program.Input;
import java.util.List;
import java.util.Map;

/**
 * The work of a processor for a call of a service: either the server's, with the tables in its
 * memory, or the client's, which accesses them by requests.
 */
@FunctionalInterface
public interface Routine {

  /**
   * Answers a call.
   *
   * @param inputs the bytes of every input
   * @param tables the program's data
   * @throws IndexOutOfBoundsException when a pointer points outside of the data, or the device's
   *     error
   */
  List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables);
}
