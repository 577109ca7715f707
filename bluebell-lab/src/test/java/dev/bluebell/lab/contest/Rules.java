package dev.bluebell.lab.contest;

import dev.bluebell.program.Input;
import dev.bluebell.program.Program;
import dev.bluebell.program.install.SharedData;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The calls of clients to a service, and the rules for their answers. */
interface Rules {
  /**
   * A call.
   *
   * @param program its position among {@link #programs}
   * @param inputs the client's inputs
   */
  record Move(int program, Map<Input<?>, byte[]> inputs) {}

  /** The programs that each client has, on the same data. */
  List<Program> programs();

  /** Sets the location of the data, before the first call. */
  void begin(SharedData data);

  /** The next call of a client; null when it pauses. */
  @Nullable Move next(int client, Random random);

  /** Checks the answer of a client, and adds a complaint if it is wrong. */
  void answered(int client, byte[] answer, List<String> complaints);

  /** Checks the data after all calls are answered, and adds a complaint if it is wrong. */
  void end(SharedData data, List<String> complaints);

  /** The calls, in words. */
  String summary();
}
