package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.TagEnd;
import dev.bluebell.verbs.WorkOpcode;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes of a list of tags are written, and their completions read, as libmlx5 does. */
class TagMatchingVectorsTest {
  private static final long TAG = 0x1122334455667788L;
  private static final long MASK = 0xffffffff0000ffffL;

  static Stream<Arguments> vectors(String group) {
    return Vectors.load(group).stream()
        .map(vector -> Arguments.of(vector.get("name").asText(), vector));
  }

  static Stream<Arguments> changes() {
    return vectors("tm_srq_ops");
  }

  static Stream<Arguments> completions() {
    return vectors("cqe_tag_matching");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void changesEqualThoseOfLibmlx5(String name, JsonNode vector) {
    TagBench bench = new TagBench(3, 6);
    TagMatchingRing tags = bench.tags;
    int handle = 0;
    switch (name) {
      case "tm.0" -> handle = add(tags, 0).signaled(1, 2);
      case "tm.1" -> handle = tags.add(TAG, MASK).empty().unsignaled(2);
      case "tm.2" -> handle = add(tags, 0).handled(0x1234).signaled(1, 2);
      case "tm.3" -> {
        handle = add(tags, 0).signaled(1, 2);
        assertThat(tags.remove(handle, 3)).isTrue();
      }
      case "tm.4" -> tags.synchronize(0x0203, 1);
      case "tm.5" -> {
        for (int i = 0; i < 3; i++) {
          int last = add(tags, i).signaled(i, i);
          handle = i == 0 ? last : handle;
        }
      }
      default -> throw new AssertionError(name);
    }
    tags.ringDoorbell();
    assertThat(handle & 0xffff).isEqualTo(vector.get("handle").asInt());
    assertThat(bench.commandRecord.hex(4, 4))
        .isEqualTo("%08x".formatted(vector.get("dbrec_snd").asInt()));
    for (JsonNode wqebb : vector.get("wqebbs")) {
      byte[] mask = Vectors.bytes(wqebb.get("mask"));
      byte[] built = bench.commandMemory.bytes(64L * wqebb.get("index").asInt(), 64);
      byte[] recorded = Vectors.bytes(wqebb.get("bytes"));
      for (int i = 0; i < mask.length; i++) {
        built[i] &= mask[i];
        recorded[i] &= mask[i];
      }
      assertThat(HexFormat.of().formatHex(built)).isEqualTo(HexFormat.of().formatHex(recorded));
    }
  }

  private static TagEnd add(TagMatchingRing tags, int more) {
    return tags.add(TAG + more, MASK).scatter(0x7f1122350020L, 96, 0xa0b202);
  }

  private static final int MATCH = 32;
  private static final int DATA_VALID = 64;
  private static final int SYNC_REQ = 16;
  private static final int WITH_IMMEDIATE = 2;
  private static final int RENDEZVOUS = 23;
  private static final int GENERAL_ERROR = 21;

  /** By {@code verbs.h: ibv_wc_opcode}. */
  private static final Map<Integer, WorkOpcode> OPCODES =
      Map.of(
          130, WorkOpcode.TAG_ADD,
          131, WorkOpcode.TAG_REMOVE,
          132, WorkOpcode.TAG_SYNCHRONIZE,
          133, WorkOpcode.RECEIVE_WITH_TAG,
          134, WorkOpcode.RECEIVE_WITHOUT_TAG);

  @ParameterizedTest(name = "{0}")
  @MethodSource("completions")
  void completionsReadAsInLibmlx5(String name, JsonNode vector) {
    TagBench bench = new TagBench(3, 6);
    for (int i = 0; i < 5; i++) {
      bench.tags.receive().scatter(0x5000, 256, 7).post(0x4e00 + i);
    }
    bench.tags.ringReceiveDoorbell();
    for (int i = 0; i < 3; i++) {
      bench.tags.add(i, -1).scatter(0x1000, 256, 7).signaled(0x6100 + i, 0x9100 + i);
    }
    bench.tags.ringDoorbell();
    bench.write(Vectors.bytes(vector.get("cqe")));
    if (vector.get("status").asInt() == GENERAL_ERROR) {
      assertThatIllegalStateException().isThrownBy(bench.completions::poll);
      return;
    }
    Completion seen = bench.completions.poll();
    assertThat(seen).isNotNull();
    assertThat(seen.id()).isEqualTo(Vectors.number(vector.get("wr_id")));
    int flags = vector.get("wc_flags").asInt();
    assertThat(seen.isTagMatch()).isEqualTo((flags & MATCH) != 0);
    assertThat(seen.isTagDone()).isEqualTo((flags & DATA_VALID) != 0);
    assertThat(seen.wantsSynchronization()).isEqualTo((flags & SYNC_REQ) != 0);
    assertThat(seen.hasImmediate()).isEqualTo((flags & WITH_IMMEDIATE) != 0);
    assertThat(seen.byteCount()).isEqualTo(vector.get("byte_len").asInt());
    boolean canceled = seen.status() == CompletionStatus.MESSAGE_CANCELED;
    assertThat(canceled || seen.wantsRendezvous())
        .isEqualTo(vector.get("status").asInt() == RENDEZVOUS);
    if (vector.get("status").asInt() == 0) {
      assertThat(seen.status()).isEqualTo(CompletionStatus.SUCCESS);
      assertThat(seen.opcode()).isEqualTo(OPCODES.get(vector.get("opcode").asInt()));
    }
    assertThat(seen.tag()).isEqualTo(Vectors.number(vector.get("tm_tag")));
    assertThat(seen.tagContext()).isEqualTo((int) context(vector));
  }

  /** libmlx5 reads it from the entry's bytes 4 to 7, whatever the kind of entry. */
  private static long context(JsonNode vector) {
    return Vectors.number(vector.get("tm_priv"));
  }
}
