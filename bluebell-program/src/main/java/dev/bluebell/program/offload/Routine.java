package dev.bluebell.program.offload;

import dev.bluebell.program.Input;
import java.util.List;
import java.util.Map;

/**
 * What a processor does for a call of a service: that of the server, with the tables in its memory,
 * or that of the client, which reaches them by requests.
 */
@FunctionalInterface
public interface Routine {

  /**
   * Answers a call.
   *
   * @param inputs the bytes of every input
   * @param tables the program's data
   * @throws IndexOutOfBoundsException when a pointer leaves them, or the device's error
   */
  List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables);
}
