package dev.bluebell.softnic.engine;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A program with many busy queue pairs does not keep another program's request waiting. */
class SharedFairnessTest {
  private static final int CROWD = 200;
  private static final int LONG = 8 << 20;

  /** More than any time that a receiver asks to wait. */
  private static final long LONGER = 1_000_000_000;

  /** Steps within which a request of another program is done. */
  private static final int STEPS = 2;

  private final Rig device = Rigs.open();
  private final Rig attacker = program();
  private final Rig victim = program();
  private final RawPair single = victim.pair();
  private final RawMemory small = victim.memory(64);

  private Rig program() {
    return new Rig((SoftNic) device.nic().hosting().orElseThrow().openProgram(), device.clock());
  }

  @AfterEach
  void close() {
    attacker.close();
    victim.close();
    device.close();
  }

  private void expectTheVictimToPass() {
    single.left().post(Wqe.write(small, 0).data(small, 8, 8));
    for (int step = 0; step < STEPS; step++) {
      device.nic().step();
    }
    single.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void manyLongMessagesLetAnotherProgramPass() {
    RawMemory memory = attacker.memory(LONG);
    for (int i = 0; i < CROWD; i++) {
      attacker.pair().left().post(Wqe.write(memory, 0).data(memory, 0, LONG));
    }
    device.nic().step();
    expectTheVictimToPass();
  }

  @Test
  void manyQueuePairsInRnrRetryLetAnotherProgramPass() {
    for (int i = 0; i < CROWD; i++) {
      attacker.pair().left().post(Wqe.send().inline(new byte[8]));
    }
    device.settle();
    // All of them are due.
    device.clock().advance(LONGER);
    expectTheVictimToPass();
  }
}
