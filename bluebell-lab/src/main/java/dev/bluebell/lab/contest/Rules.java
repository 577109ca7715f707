package dev.bluebell.lab.contest;

import dev.bluebell.program.Input;
import dev.bluebell.program.Program;
import dev.bluebell.program.install.SharedData;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What clients of a service want of it, and what their answers must be. */
interface Rules {
  /**
   * A call.
   *
   * @param program its position among {@link #programs}
   * @param inputs what the client sends
   */
  record Move(int program, Map<Input<?>, byte[]> inputs) {}

  /** The programs that each client has, on the same data. */
  List<Program> programs();

  /** Says where the data lies, before the first call. */
  void begin(SharedData data);

  /** What a client does next; null when it takes its time. */
  @Nullable Move next(int client, Random random);

  /** A client has its answer; complaints say what is wrong with it. */
  void answered(int client, byte[] answer, List<String> complaints);

  /** All calls are answered; complaints say what is wrong with the data. */
  void end(SharedData data, List<String> complaints);

  /** What happened, in words. */
  String summary();

  /** What holds when there are no complaints. */
  String promise();
}
