package dev.bluebell.lab.contest;

import dev.bluebell.program.Program;
import dev.bluebell.program.install.SharedData;
import dev.bluebell.program.offload.FetchAdd;
import dev.bluebell.program.offload.Tables;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Clients increment a counter; each count goes to one client only. */
final class CountRules implements Rules {
  private final FetchAdd count = new FetchAdd(0);
  private final Set<Long> numbers = new HashSet<>();

  @Override
  public List<Program> programs() {
    return List.of(count.program());
  }

  @Override
  public void begin(SharedData data) {}

  @Override
  public Move next(int client, Random random) {
    return new Move(0, count.call(1));
  }

  @Override
  public void answered(int client, byte[] answer, List<String> complaints) {
    long number = Tables.number(answer, 0);
    if (!numbers.add(number)) {
      complaints.add("client %d got %d, which another client has".formatted(client, number));
    }
  }

  @Override
  public void end(SharedData data, List<String> complaints) {
    long word = data.region("count").segment().get(ValueLayout.JAVA_LONG, 0);
    if (word != numbers.size()) {
      complaints.add("the count is %d after %d additions".formatted(word, numbers.size()));
    }
  }

  @Override
  public String summary() {
    return "they counted to %d".formatted(numbers.size());
  }
}
