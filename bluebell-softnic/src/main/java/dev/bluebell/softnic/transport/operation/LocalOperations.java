package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.TagMatching;
import dev.bluebell.softnic.transport.connection.End;
import org.jspecify.annotations.Nullable;

/**
 * The local operations of a reliable requester, by opcode. Requests with other opcodes are sent as
 * packets. Owned by one requester.
 */
public final class LocalOperations {
  private static final int OPCODES = 0x100;

  private final @Nullable LocalOperation[] byOpcode = new LocalOperation[OPCODES];
  private final RefusedRequest refused = new RefusedRequest();
  private final DeferredKeyChange keyChange;
  private final CrossOperations cross;
  private final LocalCopy copies;

  /**
   * @param completions completion queue of the requests
   * @param tags of the tag-matching queue that the queue pair receives from; null for other queues
   */
  public LocalOperations(End end, CompletionQueue completions, @Nullable TagMatching tags) {
    keyChange = new DeferredKeyChange(end, refused);
    cross = new CrossOperations(end.chip(), end.self(), end.life(), completions, refused.fault());
    LocalMove move = new LocalMove(end.chip().keys(), end.self(), refused.fault());
    copies = new LocalCopy(end.chip(), end.self(), move, refused.fault());
    byOpcode[WqeOpcode.NOP] = new Nop();
    byOpcode[WqeOpcode.UMR] = keyChange;
    byOpcode[WqeOpcode.MMO] = copies;
    byOpcode[WqeOpcode.LOCAL_MMO] = new Transposition(end.chip().staging(), move, refused.fault());
    byOpcode[WqeOpcode.TAG_MATCHING] =
        new TagOperations(end.chip(), end.self(), end.life(), tags, refused.fault());
    byOpcode[WqeOpcode.WAIT] = cross;
    byOpcode[WqeOpcode.SEND_EN] = cross;
    byOpcode[WqeOpcode.RECV_EN] = cross;
  }

  /** Does nothing, once its fence allows it. */
  private static final class Nop implements LocalOperation {
    @Override
    public long execute(SendWqe wqe, int entry, long done, long budget) {
      return 0;
    }

    @Override
    public boolean isUnrepeatable() {
      return false;
    }

    @Override
    public boolean isToDo(SendWqe wqe) {
      return false;
    }
  }

  /** The operation of an opcode; null when its requests are sent as packets. */
  public @Nullable LocalOperation of(int opcode) {
    return byOpcode[opcode];
  }

  /** The request that can't be executed, local or not. */
  public RefusedRequest refused() {
    return refused;
  }

  public DeferredKeyChange keyChange() {
    return keyChange;
  }

  public CrossOperations cross() {
    return cross;
  }

  /** Sets mmo of the extended context. */
  public void allowCopies(boolean mmo) {
    copies.allow(mmo);
  }

  /** Takes the attributes that the transition to RTS sets. */
  public void start(View qpc) {
    cross.start(qpc);
  }

  /** Drops waiting requests. */
  public void reset() {
    keyChange.reset();
    cross.reset();
    refused.clear();
  }
}
