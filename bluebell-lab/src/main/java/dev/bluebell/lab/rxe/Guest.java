package dev.bluebell.lab.rxe;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A virtual machine whose kernel has Soft-RoCE. A program in it executes commands, one per line,
 * which are defined in {@code tools/compatibility/rxe/guest.c}. Used by one thread.
 */
final class Guest implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;
  private static final int MOST_NOISE = 30;
  private static final String END = "the virtual machine has ended";

  private final Process machine;
  private final Writer in;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  // Output of the kernel, for diagnosis.
  private final Deque<String> noise = new ArrayDeque<>();

  /**
   * Boots the virtual machine.
   *
   * @param command command that starts it
   */
  Guest(String... command) throws IOException {
    machine = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Runtime.getRuntime().addShutdownHook(new Thread(machine::destroyForcibly));
    in = machine.outputWriter(StandardCharsets.UTF_8);
    BufferedReader out = machine.inputReader(StandardCharsets.UTF_8);
    Thread.ofPlatform().daemon().name("guest-console").start(() -> read(out));
    answer("boot");
  }

  private void read(BufferedReader out) {
    try {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith("=") || line.startsWith("!")) {
          answers.add(line);
        } else {
          note(line);
        }
      }
    } catch (IOException e) {
      note(e.toString());
    }
    answers.add(END);
  }

  private void note(String line) {
    synchronized (noise) {
      noise.addLast(line);
      if (noise.size() > MOST_NOISE) {
        noise.removeFirst();
      }
    }
  }

  private String answer(String line) {
    try {
      String answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (answer == null || answer.equals(END)) {
        synchronized (noise) {
          throw new GuestLostException(
              "%s: %s. Its console: %s"
                  .formatted(line, answer == null ? "no answer" : END, String.join("\n", noise)));
        }
      }
      if (answer.startsWith("!")) {
        throw new Disagreement("Soft-RoCE: %s %s".formatted(line, answer));
      }
      return answer.substring(1).strip();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends a command to the program; returns its answer without the equals sign. */
  String call(String format, Object... parts) {
    String line = format.formatted(parts);
    try {
      in.write(line);
      in.write('\n');
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answer(line);
  }

  /** The numbers in the answer to a command. */
  long[] numbers(String format, Object... parts) {
    String[] words = call(format, parts).split(" ", -1);
    long[] numbers = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      numbers[i] = Long.parseUnsignedLong(words[i]);
    }
    return numbers;
  }

  /** Runs a line in the shell of the machine; 0 on success. */
  int shell(String format, Object... parts) {
    return (int) numbers("sh %s", format.formatted(parts))[0];
  }

  @Override
  public void close() {
    try {
      in.write("quit\n");
      in.flush();
      if (!machine.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        machine.destroyForcibly();
      }
    } catch (IOException e) {
      machine.destroyForcibly();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
