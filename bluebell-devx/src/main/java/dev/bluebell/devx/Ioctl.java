package dev.bluebell.devx;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Attribute;
import dev.bluebell.hca.uverbs.CallAbi.Attr;
import dev.bluebell.hca.uverbs.CallAbi.IoctlHdr;
import dev.bluebell.hca.uverbs.Method;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One ioctl of uverbs: a method and its attributes. Mirrors {@code rdma/rdma_user_ioctl_cmds.h:
 * ib_uverbs_ioctl_hdr, ib_uverbs_attr} and how {@code cmd_ioctl.h} of libibverbs fills them in. For
 * one thread.
 */
final class Ioctl {
  /** {@code rdma/rdma_user_ioctl_cmds.h: RDMA_VERBS_IOCTL}. */
  static final long NUMBER = 0xc0181b01L;

  /** {@code rdma/ib_user_ioctl_verbs.h: RDMA_DRIVER_MLX5}. */
  private static final int DRIVER_MLX5 = 1;

  /** {@code rdma/rdma_user_ioctl_cmds.h: UVERBS_ATTR_F_MANDATORY}. */
  private static final int MANDATORY = 1;

  private static final int ALIGNMENT = 8;
  private static final Field WORD = Field.littleEndian("a number of 4 bytes", 0, Integer.BYTES);

  private final Method method;
  private final List<Given> given = new ArrayList<>();
  private final Map<Attribute, byte[]> outputs = new HashMap<>();
  private final Map<Attribute, Integer> handles = new HashMap<>();

  /** The content of an attribute: stored in the attribute itself, or behind a pointer. */
  private sealed interface Content {
    /** A number, handle or descriptor. */
    record Inline(int bytes, long data) implements Content {}

    record Input(byte[] bytes) implements Content {}

    record Output(int bytes) implements Content {}

    record NewHandle() implements Content {}
  }

  private record Given(Attribute attribute, int flags, Content content) {}

  private Ioctl(Method method) {
    this.method = method;
  }

  static Ioctl of(Method method) {
    return new Ioctl(method);
  }

  private Ioctl add(Attribute attribute, int flags, Content content) {
    given.add(new Given(attribute, flags, content));
    return this;
  }

  /** An existing object, by its handle, or a file, by its descriptor. */
  Ioctl handle(Attribute attribute, int handle) {
    return add(attribute, MANDATORY, new Content.Inline(0, handle & 0xffffffffL));
  }

  /** An object that the call creates; {@link #created} is its handle afterwards. */
  Ioctl newHandle(Attribute attribute) {
    return add(attribute, MANDATORY, new Content.NewHandle());
  }

  /** A number of 8 bytes. */
  Ioctl number(Attribute attribute, long value) {
    return add(attribute, MANDATORY, new Content.Inline(Long.BYTES, value));
  }

  /** A number of 8 bytes; a kernel that does not know the attribute ignores it. */
  Ioctl optionalNumber(Attribute attribute, long value) {
    return add(attribute, 0, new Content.Inline(Long.BYTES, value));
  }

  /** A number of 4 bytes. */
  Ioctl word(Attribute attribute, int value) {
    return input(attribute, View.over(new byte[Integer.BYTES]).set(WORD, value).bytes());
  }

  /** Bytes that the kernel reads. */
  Ioctl input(Attribute attribute, byte[] bytes) {
    return add(
        attribute,
        MANDATORY,
        bytes.length <= Long.BYTES
            ? new Content.Inline(bytes.length, packed(bytes))
            : new Content.Input(bytes.clone()));
  }

  /** Short inputs are stored in the attribute in their own byte order, first byte first. */
  private static long packed(byte[] bytes) {
    return View.over(Arrays.copyOf(bytes, Long.BYTES))
        .get(Field.littleEndian("bytes", 0, Long.BYTES));
  }

  /** Room for bytes that the kernel writes; {@link #output} has them afterwards. */
  Ioctl output(Attribute attribute, int bytes) {
    return add(attribute, MANDATORY, new Content.Output(bytes));
  }

  /** Passes a call to the kernel; returns 0 or an error number. */
  interface Kernel {
    int call(MemorySegment call);
  }

  /**
   * Makes the call.
   *
   * @return 0, or the kernel's error number; outputs may be written in both cases, handles only on
   *     success
   */
  int call(Kernel kernel) {
    int headerBytes = IoctlHdr.STRUCTURE.bytes();
    int attrBytes = Attr.STRUCTURE.bytes();
    int bytes = headerBytes + given.size() * attrBytes;
    View view = View.over(new byte[bytes]);
    view.set(IoctlHdr.LENGTH, bytes)
        .set(IoctlHdr.OBJECT_ID, method.object().id())
        .set(IoctlHdr.METHOD_ID, method.id())
        .set(IoctlHdr.NUM_ATTRS, given.size())
        .set(IoctlHdr.DRIVER_ID, DRIVER_MLX5);
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> places = new ArrayList<>();
      for (int i = 0; i < given.size(); i++) {
        Given each = given.get(i);
        MemorySegment place = place(arena, each.content());
        places.add(place);
        describe(view.at(headerBytes + i * attrBytes), each, place);
      }
      MemorySegment call = arena.allocate(bytes, ALIGNMENT);
      call.copyFrom(MemorySegment.ofArray(view.bytes()));
      int errno = kernel.call(call);
      View answer = View.over(call.toArray(ValueLayout.JAVA_BYTE));
      for (int i = 0; i < given.size(); i++) {
        take(given.get(i), places.get(i), answer.at(headerBytes + i * attrBytes));
      }
      return errno;
    }
  }

  private static MemorySegment place(Arena arena, Content content) {
    return switch (content) {
      case Content.Input input -> {
        MemorySegment place = arena.allocate(input.bytes().length, ALIGNMENT);
        place.copyFrom(MemorySegment.ofArray(input.bytes()));
        yield place;
      }
      case Content.Output output -> arena.allocate(output.bytes(), ALIGNMENT);
      case Content.Inline inline -> MemorySegment.NULL;
      case Content.NewHandle created -> MemorySegment.NULL;
    };
  }

  private static void describe(View attr, Given given, MemorySegment place) {
    attr.set(Attr.ATTR_ID, given.attribute().id()).set(Attr.FLAGS, given.flags());
    switch (given.content()) {
      case Content.Inline inline ->
          attr.set(Attr.LEN, inline.bytes()).set(Attr.DATA, inline.data());
      case Content.Input input ->
          attr.set(Attr.LEN, input.bytes().length).set(Attr.DATA, place.address());
      case Content.Output output ->
          attr.set(Attr.LEN, output.bytes()).set(Attr.DATA, place.address());
      case Content.NewHandle created -> {}
    }
  }

  private void take(Given each, MemorySegment place, View attr) {
    switch (each.content()) {
      case Content.Output output ->
          outputs.put(each.attribute(), place.toArray(ValueLayout.JAVA_BYTE));
      case Content.NewHandle created -> handles.put(each.attribute(), attr.getInt(Attr.DATA));
      case Content.Inline inline -> {}
      case Content.Input input -> {}
    }
  }

  /** The bytes that the kernel wrote. */
  byte[] output(Attribute attribute) {
    byte[] bytes = outputs.get(attribute);
    if (bytes == null) {
      throw new IllegalStateException(attribute.name() + " is not an output of the call");
    }
    return bytes;
  }

  /** A structure that the kernel wrote. */
  View view(Attribute attribute) {
    return View.over(output(attribute));
  }

  /** A number that the kernel wrote, unsigned, with the size of the attribute's room. */
  long result(Attribute attribute) {
    byte[] bytes = output(attribute);
    return View.over(bytes).get(Field.littleEndian(attribute.name(), 0, bytes.length));
  }

  /**
   * Handle or descriptor of the object that a successful call created; undefined after a refused
   * call.
   */
  int created(Attribute attribute) {
    Integer handle = handles.get(attribute);
    if (handle == null) {
      throw new IllegalStateException(
          attribute.name() + " does not name an object that the call created");
    }
    return handle;
  }
}
