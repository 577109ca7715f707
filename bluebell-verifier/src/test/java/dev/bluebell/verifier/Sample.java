package dev.bluebell.verifier;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A program, with calls that cover all its branches.
 *
 * @param program the program
 * @param calls the inputs of each call, given the addresses of the data
 */
record Sample(Program program, List<Function<Map<Data, Long>, Map<Input<?>, byte[]>>> calls) {
  static List<Sample> all() {
    return List.of(hashGet(), less(), sum(), walk(), masked(), leave(), lessThanField());
  }

  private static byte[] address(Map<Data, Long> addresses, Data data, int offset) {
    Long base = addresses.get(data);
    if (base == null) {
      throw new IllegalArgumentException(data + " has no address");
    }
    return ByteBuffer.allocate(8).putLong(base + offset).array();
  }

  private static byte[] key(int number) {
    return new byte[] {(byte) number, 2, 3, 4, 5, 6};
  }

  /** Four buckets of 16 bytes, the keys 1 to 4, and a value of 16 bytes for each. */
  private static Data table(ProgramBuilder builder) {
    Data table = builder.data("table", 128);
    for (int i = 0; i < 4; i++) {
      table.put(16 * i, key(i + 1));
      table.put(16 * i + 8, table.pointer(64 + 16 * i));
      table.put(64 + 16 * i, (byte) (0x10 * (i + 1)), (byte) i);
    }
    return table;
  }

  private static Sample hashGet() {
    ProgramBuilder builder = new ProgramBuilder("hash-get");
    Input<Kind.Bytes> key = builder.bytes("key", 6);
    Input<Kind.Pointer> bucket = builder.pointer("bucket");
    Data table = table(builder);
    Loaded loaded = builder.load(table, bucket);
    Field<Kind.Bytes> found = loaded.bytes(0, 6);
    Field<Kind.Pointer> value = loaded.pointer(8);
    builder.when(Condition.equal(found, key), () -> builder.respond(table, value, 16));
    return new Sample(
        builder.build(),
        List.of(
            at -> Map.of(key, key(3), bucket, address(at, table, 32)),
            at -> Map.of(key, key(3), bucket, address(at, table, 16))));
  }

  private static Sample less() {
    ProgramBuilder builder = new ProgramBuilder("less");
    Input<Kind.Number> number = builder.number("number", 6);
    builder.when(
        Condition.less(number, Literal.number(7, 6)),
        () -> builder.respond(Literal.number(1)),
        () -> builder.respond(Literal.number(2)));
    return new Sample(
        builder.build(),
        List.of(
            at -> Map.of(number, new byte[] {6, 0, 0, 0, 0, 0}),
            at -> Map.of(number, new byte[] {7, 0, 0, 0, 0, 0}),
            at -> Map.of(number, new byte[] {0, 0, 0, 0, 0, 1})));
  }

  private static Sample lessThanField() {
    ProgramBuilder builder = new ProgramBuilder("less-than-field");
    Input<Kind.Number> number = builder.number("number", 6);
    Data limits = builder.data("limits", 16).put(8, (byte) 7);
    Loaded limit = builder.load(limits, limits.pointer(8));
    builder.when(
        Condition.less(number, limit.number(0, 6)),
        () -> builder.respond(Literal.number(1)),
        () -> builder.respond(Literal.number(2)));
    return new Sample(
        builder.build(),
        List.of(
            at -> Map.of(number, new byte[] {6, 0, 0, 0, 0, 0}),
            at -> Map.of(number, new byte[] {7, 0, 0, 0, 0, 0}),
            at -> Map.of(number, new byte[] {0, 0, 0, 0, 0, 1})));
  }

  private static Sample sum() {
    ProgramBuilder builder = new ProgramBuilder("sum");
    Input<Kind.Number> addend = builder.number("addend", 8);
    Cell<Kind.Number> total = builder.cell("total", 5);
    builder.add(total, addend);
    builder.add(total, Literal.number(3));
    builder.respond(total);
    return new Sample(
        builder.build(),
        List.of(at -> Map.of(addend, new byte[] {(byte) 0xff, 1, 0, 0, 0, 0, 0, 0})));
  }

  /** Three nodes: key, next, value. */
  private static Sample walk() {
    ProgramBuilder builder = new ProgramBuilder("walk");
    Input<Kind.Bytes> key = builder.bytes("key", 6);
    Input<Kind.Pointer> head = builder.pointer("head");
    Data nodes = builder.data("nodes", 96);
    Cell<Kind.Pointer> next = builder.data("next", 8).address(0);
    for (int i = 0; i < 3; i++) {
      nodes.put(32 * i, key(i + 1)).put(32 * i + 8, nodes.pointer(32 * ((i + 1) % 3)));
      nodes.put(32 * i + 16, (byte) (i + 1), (byte) 0x77);
    }
    builder.set(next, head);
    builder.repeat(
        3,
        i -> {
          Loaded node = builder.load(nodes, next);
          Field<Kind.Bytes> found = node.bytes(0, 6);
          Field<Kind.Pointer> behind = node.pointer(8);
          Field<Kind.Bytes> value = node.bytes(16, 8);
          builder.when(Condition.equal(found, key), () -> builder.respond(value));
          builder.set(next, behind);
        });
    List<Function<Map<Data, Long>, Map<Input<?>, byte[]>>> calls = new ArrayList<>();
    for (int i = 1; i < 5; i++) {
      int number = i;
      calls.add(at -> Map.of(key, key(number), head, address(at, nodes, 0)));
    }
    return new Sample(builder.build(), calls);
  }

  /** Counts until it reaches a number, at most three times, and answers with the count. */
  private static Sample leave() {
    ProgramBuilder builder = new ProgramBuilder("leave");
    Input<Kind.Number> number = builder.number("number", 6);
    Cell<Kind.Number> count = builder.cell("count", 4);
    builder.repeat(
        3,
        lap -> {
          builder.breakWhen(Condition.equal(count.first(6), number));
          builder.add(count, Literal.number(1));
        });
    builder.respond(count);
    List<Function<Map<Data, Long>, Map<Input<?>, byte[]>>> calls = new ArrayList<>();
    for (byte i = 3; i < 8; i++) {
      byte wanted = i;
      calls.add(at -> Map.of(number, new byte[] {wanted, 0, 0, 0, 0, 0}));
    }
    return new Sample(builder.build(), calls);
  }

  private static Sample masked() {
    ProgramBuilder builder = new ProgramBuilder("masked");
    Input<Kind.Bytes> flags = builder.bytes("flags", 2);
    Cell<Kind.Number> word = builder.cell("word", 0x1234);
    builder.when(
        Condition.masked(flags, new byte[] {0x21, 0}, Literal.bytes((byte) 0x20, (byte) 0)),
        () -> builder.update(word, 0xff00, 0xf0f0),
        () -> builder.respond(Literal.number(9)));
    builder.respond(word);
    return new Sample(
        builder.build(),
        List.of(
            at -> Map.of(flags, new byte[] {0x62, 1}), at -> Map.of(flags, new byte[] {0x21, 1})));
  }

  /** Addresses of the data of a plan. */
  static Map<Data, Long> addresses(Program program, Function<String, Long> places) {
    Map<Data, Long> addresses = new LinkedHashMap<>();
    program.data().forEach(data -> addresses.put(data, places.apply(data.name())));
    return addresses;
  }
}
