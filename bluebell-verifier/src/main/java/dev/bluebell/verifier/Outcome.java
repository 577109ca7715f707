package dev.bluebell.verifier;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result when a machine has no further steps.
 *
 * @param error the error, a sentence; null when there was none
 * @param memory the program's memory in hexadecimal digits, including its rings
 * @param clientMemory the client's memory in hexadecimal digits
 * @param messages messages that the client received, in the order of each queue
 */
public record Outcome(
    @Nullable String error, String memory, String clientMemory, List<String> messages) {
  /** Copies the list. */
  public Outcome {
    messages = List.copyOf(messages);
  }

  /** True when the client cannot distinguish the two. */
  public boolean looksLike(Outcome other) {
    return Objects.equals(error, other.error)
        && clientMemory.equals(other.clientMemory)
        && messages.equals(other.messages);
  }
}
