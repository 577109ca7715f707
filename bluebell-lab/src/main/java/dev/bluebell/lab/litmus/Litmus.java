package dev.bluebell.lab.litmus;

import dev.bluebell.lab.litmus.Action.Atomic;
import dev.bluebell.lab.litmus.Action.Await;
import dev.bluebell.lab.litmus.Action.Change;
import dev.bluebell.lab.litmus.Action.Get;
import dev.bluebell.lab.litmus.Action.Load;
import dev.bluebell.lab.litmus.Action.Locked;
import dev.bluebell.lab.litmus.Action.Poll;
import dev.bluebell.lab.litmus.Action.Put;
import dev.bluebell.lab.litmus.Action.RemoteFence;
import dev.bluebell.lab.litmus.Action.Store;
import dev.bluebell.lab.litmus.Action.StoreFence;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A litmus test: threads on nodes, and the values that are its result.
 *
 * @param name its name in the table
 * @param initial initial values of locations, where they are not 0
 * @param threads threads in the order of their lines
 * @param seen locations and registers whose values are the result
 * @param allowed parts of results that the model is known to allow, such as {@code a=1 b=0}
 * @param forbidden parts of results that the model is known to forbid
 */
public record Litmus(
    String name,
    Map<String, Integer> initial,
    List<Thread> threads,
    List<String> seen,
    List<String> allowed,
    List<String> forbidden) {

  /** A thread of a node. */
  record Thread(int node, List<Action> actions) {
    Thread {
      actions = List.copyOf(actions);
    }

    @Override
    public String toString() {
      return actions.stream()
          .map(Action::toString)
          .collect(Collectors.joining("; ", node + ": ", ""));
    }
  }

  /** Copies the collections. */
  public Litmus {
    initial = Map.copyOf(initial);
    threads = List.copyOf(threads);
    seen = List.copyOf(seen);
    allowed = List.copyOf(allowed);
    forbidden = List.copyOf(forbidden);
  }

  static int node(String location) {
    return location.charAt(1) - '0';
  }

  private static boolean isLocation(String name) {
    return name.length() == 2 && Character.isDigit(name.charAt(1));
  }

  /** All locations, in the order of their names. */
  List<String> locations() {
    return Stream.of(
            initial.keySet().stream(),
            seen.stream().filter(Litmus::isLocation),
            threads.stream()
                .flatMap(thread -> thread.actions().stream())
                .flatMap(Litmus::locations))
        .flatMap(Function.identity())
        .distinct()
        .sorted()
        .toList();
  }

  private static Stream<String> locations(Action action) {
    return switch (action) {
      case Store store -> Stream.of(store.to());
      case Load load -> Stream.of(load.from());
      case Await await -> Stream.of(await.from());
      case Locked locked -> Stream.of(locked.change().at());
      case Put put -> Stream.of(put.to(), put.from());
      case Get get -> Stream.of(get.to(), get.from());
      case Atomic atomic -> Stream.of(atomic.to(), atomic.change().at());
      case StoreFence _, RemoteFence _, Poll _ -> Stream.of();
    };
  }

  /** A result in the form of the table. */
  String result(Function<String, Integer> value) {
    return seen.stream()
        .map(each -> each + "=" + value.apply(each))
        .collect(Collectors.joining(" "));
  }

  /** True when a result contains all values of a part. */
  static boolean has(String result, String part) {
    return List.of(result.split(" ")).containsAll(List.of(part.split(" ")));
  }

  @Override
  public String toString() {
    String all = threads.stream().map(Thread::toString).collect(Collectors.joining(" ‖ "));
    return initial.isEmpty()
        ? all
        : new TreeMap<>(initial)
            .entrySet().stream()
                .map(Map.Entry::toString)
                .collect(Collectors.joining(" ", "init: ", " ‖ " + all));
  }

  // ---- from text

  /** The tests of the table. */
  static List<Litmus> all() {
    try (InputStream text =
        Objects.requireNonNull(Litmus.class.getResourceAsStream("litmus.txt"))) {
      return parse(new String(text.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads tests: blocks of lines, of which the first is the name and the second the description.
   *
   * @throws IllegalArgumentException when a line is wrong
   */
  static List<Litmus> parse(String text) {
    return Arrays.stream(text.split("\n\\s*\n"))
        .map(block -> block.lines().filter(line -> !line.startsWith("#")).toList())
        .filter(block -> !block.isEmpty())
        .map(Litmus::parse)
        .toList();
  }

  private static Litmus parse(List<String> lines) {
    Map<String, Integer> initial = new TreeMap<>();
    List<Thread> threads = new ArrayList<>();
    List<String> seen = new ArrayList<>();
    List<String> allowed = new ArrayList<>();
    List<String> forbidden = new ArrayList<>();
    for (String line : lines.subList(2, lines.size())) {
      String[] parts = line.split(":\\s*", 2);
      if (parts.length != 2) {
        throw new IllegalArgumentException("'%s' has no ':'".formatted(line));
      }
      switch (parts[0]) {
        case "init" ->
            Arrays.stream(parts[1].split(" "))
                .map(each -> each.split("="))
                .forEach(each -> initial.put(each[0], Integer.valueOf(each[1])));
        case "see" -> seen.addAll(List.of(parts[1].split(" ")));
        case "allowed" -> allowed.add(parts[1]);
        case "forbidden" -> forbidden.add(parts[1]);
        default -> threads.add(thread(Integer.parseInt(parts[0]), parts[1]));
      }
    }
    return new Litmus(lines.getFirst(), initial, threads, seen, allowed, forbidden);
  }

  private static Thread thread(int node, String text) {
    return new Thread(
        node, Arrays.stream(text.split(";\\s*")).map(each -> action(node, each)).toList());
  }

  private static Action action(int node, String text) {
    String[] words = text.split("<-|=|\\s+");
    if (text.contains("<-")) {
      return words.length > 2
          ? new Atomic(words[0], change(words, 1))
          : node(words[0]) == node ? new Get(words[0], words[1]) : new Put(words[0], words[1]);
    }
    return switch (words[0]) {
      case "mfence" -> new StoreFence();
      case "fence" -> new RemoteFence(Integer.parseInt(words[1]));
      case "poll" -> new Poll(Integer.parseInt(words[1]));
      case "await" -> new Await(words[1], Integer.parseInt(words[2]));
      default ->
          words.length > 2
              ? new Locked(words[0], change(words, 1))
              : isLocation(words[0])
                  ? new Store(words[0], Integer.parseInt(words[1]))
                  : new Load(words[0], words[1]);
    };
  }

  private static Change change(String[] words, int at) {
    return switch (words[at]) {
      case "add" -> new Change(words[at + 1], null, Integer.parseInt(words[at + 2]));
      case "cas" ->
          new Change(
              words[at + 1], Integer.valueOf(words[at + 2]), Integer.parseInt(words[at + 3]));
      default -> throw new IllegalArgumentException("'%s' is not an atomic".formatted(words[at]));
    };
  }
}
