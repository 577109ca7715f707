package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.ring.CompletionRing;
import dev.bluebell.verbs.ring.CompletionRingLayout;
import dev.bluebell.verbs.ring.LocalMemory;
import dev.bluebell.verbs.ring.QueueTable;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.ring.SharedReceiveRing;
import dev.bluebell.verbs.ring.SharedReceiveRingLayout;
import dev.bluebell.verbs.ring.TagMatchingRing;
import dev.bluebell.verbs.ring.WorkQueues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The driver's tag-matching queue over memory that detects writes. */
final class TagModel {
  private static final int CQN = 0x404;
  private static final int LOG_TAGS = 3;
  private static final int LOG_RECEIVES = 3;
  private static final int LOG_COMPLETIONS = 4;
  private static final int WQEBB = ControlSegment.WQEBB_BYTES;

  private final Scratch commandMemory;
  private final Scratch commandRecord = Scratch.memory(DoorbellRecord.STRIDE);
  private final Scratch receiveMemory = Scratch.memory(32 << LOG_RECEIVES);
  private final Scratch receiveRecord = Scratch.memory(DoorbellRecord.STRIDE);
  private final Scratch register = Scratch.register(512);
  private final Scratch entries = Scratch.memory(Cqe.BYTES << LOG_COMPLETIONS);
  private final Scratch completionRecord = Scratch.memory(DoorbellRecord.STRIDE);
  private final TagMatchingRing tags;
  private final CompletionRing completions;

  /**
   * @param commands WQEBBs of the queue of changes
   * @param qpn number of its queue pair
   */
  TagModel(int commands, int qpn) {
    commandMemory = Scratch.memory(commands * WQEBB);
    SendRing changes =
        new SendRing(
            SendRingLayout.of(
                commandMemory.address(),
                Integer.numberOfTrailingZeros(commands),
                qpn,
                commandRecord.address(),
                register.address(),
                WQEBB));
    SharedReceiveRing receives =
        new SharedReceiveRing(
            new SharedReceiveRingLayout(
                receiveMemory.address(), LOG_RECEIVES, 5, receiveRecord.address(), "the XRQ"));
    tags = new TagMatchingRing(LOG_TAGS, receives, changes, "the XRQ");
    QueueTable queues = new QueueTable();
    queues.set(queues.reserve(), WorkQueues.shared(tags));
    CompletionRingLayout.initialize(entries.address(), LOG_COMPLETIONS, Cqe.BYTES);
    completions =
        new CompletionRing(
            new CompletionRingLayout(
                entries.address(),
                LOG_COMPLETIONS,
                Cqe.BYTES,
                CQN,
                completionRecord.address(),
                register.address()),
            queues,
            new LocalMemory(),
            null);
  }

  TagMatchingRing tags() {
    return tags;
  }

  /** Compares the doorbell record and the WQEBBs of the queue of changes. */
  void compare(JsonNode vector, List<String> differences) {
    Numbers.compare(
        "the doorbell record",
        commandRecord.integer(DoorbellRecord.SEND),
        Numbers.integer(vector, "dbrec_snd"),
        differences);
    commandMemory.compare("WQEBB", WQEBB, Numbers.member(vector, "wqebbs"), differences);
  }

  /** The completion that the driver reads from an entry; null when it refuses the entry. */
  @Nullable Completion poll(byte[] entry) {
    entries.write(0, entry);
    try {
      return completions.poll();
    } catch (IllegalStateException e) {
      return null;
    }
  }
}
