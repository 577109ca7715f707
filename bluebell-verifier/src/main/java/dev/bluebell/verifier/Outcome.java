package dev.bluebell.verifier;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is there when a machine has nothing left to do.
 *
 * @param error what went wrong, a sentence; null when nothing did
 * @param memory the program's memory in hexadecimal digits, its rings included
 * @param clientMemory the client's memory likewise
 * @param messages what the client received, in the order of each queue
 */
public record Outcome(
    @Nullable String error, String memory, String clientMemory, List<String> messages) {
  /** Copies the list. */
  public Outcome {
    messages = List.copyOf(messages);
  }

  /** True when the client can't tell the two apart. */
  public boolean looksLike(Outcome other) {
    return Objects.equals(error, other.error)
        && clientMemory.equals(other.clientMemory)
        && messages.equals(other.messages);
  }
}
