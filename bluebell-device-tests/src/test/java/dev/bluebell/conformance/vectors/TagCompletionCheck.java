package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.WorkOpcode;
import dev.bluebell.verbs.ring.TagMatchingRing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Completions of a tag-matching queue, as the driver reads them. */
final class TagCompletionCheck implements VectorCheck {
  private static final int QPN = 0x0a1b01;
  private static final int COMMANDS = 64;
  private static final int RECEIVES = 5;
  private static final int TAGS = 3;

  // By verbs.h: ibv_wc_flags and ibv_wc_status.
  private static final int WITH_IMMEDIATE = 1 << 1;
  private static final int SYNC_REQUEST = 1 << 4;
  private static final int MATCH = 1 << 5;
  private static final int DATA_VALID = 1 << 6;
  private static final int SUCCESS = 0;
  private static final int GENERAL_ERROR = 21;
  private static final int RENDEZVOUS = 23;

  /** By {@code verbs.h: ibv_wc_opcode}. */
  private static final Map<Integer, WorkOpcode> OPCODES =
      Map.of(
          130, WorkOpcode.TAG_ADD,
          131, WorkOpcode.TAG_REMOVE,
          132, WorkOpcode.TAG_SYNCHRONIZE,
          133, WorkOpcode.RECEIVE_WITH_TAG,
          134, WorkOpcode.RECEIVE_WITHOUT_TAG);

  @Override
  public List<String> differences(JsonNode vector) {
    TagModel model = new TagModel(COMMANDS, QPN);
    post(model.tags());
    Completion seen = model.poll(Numbers.bytes(vector, "cqe"));
    int status = Numbers.integer(vector, "status");
    if (seen == null) {
      return status == GENERAL_ERROR
          ? List.of()
          : List.of("the entry was refused, and libmlx5 reads it");
    }
    if (status == GENERAL_ERROR) {
      return List.of("the entry was read, and libmlx5 reports an error of its own");
    }
    List<String> differences = new ArrayList<>();
    int flags = Numbers.integer(vector, "wc_flags");
    Numbers.compare("id", seen.id(), Numbers.number(vector, "wr_id"), differences);
    Numbers.compare("match", seen.isTagMatch(), (flags & MATCH) != 0, differences);
    Numbers.compare("data valid", seen.isTagDone(), (flags & DATA_VALID) != 0, differences);
    Numbers.compare(
        "request to synchronize",
        seen.wantsSynchronization(),
        (flags & SYNC_REQUEST) != 0,
        differences);
    Numbers.compare("immediate", seen.hasImmediate(), (flags & WITH_IMMEDIATE) != 0, differences);
    Numbers.compare(
        "byte count", seen.byteCount(), Numbers.integer(vector, "byte_len"), differences);
    Numbers.compare("tag", seen.tag(), Numbers.number(vector, "tm_tag"), differences);
    Numbers.compare("context", seen.tagContext(), Numbers.integer(vector, "tm_priv"), differences);
    Numbers.compare("success", isSuccess(seen), status == SUCCESS, differences);
    Numbers.compare("rendezvous", isRendezvous(seen), status == RENDEZVOUS, differences);
    if (status == SUCCESS) {
      WorkOpcode opcode = OPCODES.get(Numbers.integer(vector, "opcode"));
      Numbers.compare("opcode", seen.opcode(), opcode, differences);
    }
    return differences;
  }

  /** Posts the requests with which the vectors were recorded. */
  private static void post(TagMatchingRing tags) {
    for (int i = 0; i < RECEIVES; i++) {
      tags.receive().scatter(0x1000, 64, 1).post(0x4e00 + i);
    }
    tags.ringReceiveDoorbell();
    for (int i = 0; i < TAGS; i++) {
      int unused = tags.add(i, -1).scatter(0x1000, 64, 1).signaled(0x6100 + i, 0x9100 + i);
    }
    tags.ringDoorbell();
  }

  /** libmlx5 reports a software rendezvous as a failure. */
  private static boolean isRendezvous(Completion seen) {
    return seen.wantsRendezvous() || seen.status() == CompletionStatus.MESSAGE_CANCELED;
  }

  private static boolean isSuccess(Completion seen) {
    return seen.isSuccess() && !isRendezvous(seen);
  }
}
