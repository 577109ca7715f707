package com.example;

import dev.bluebell.test.Rdma;
import dev.bluebell.test.RdmaPair;
import dev.bluebell.verbs.CompletionStatus;
import org.junit.jupiter.api.Test;

class FirstTest {
  // The failure is explained: which key, and what is wrong with it.
  @Test
  void aWrongKeyIsRefused(@Rdma RdmaPair pair) {
    var right = pair.right().memory().remote();
    var queuePair = pair.left().queuePair();
    queuePair.write(right.address(), right.rkey() + 1).inline(new byte[8], 0, 8).signaled(1);
    queuePair.ringDoorbell();

    pair.left().await().expect(1, CompletionStatus.REMOTE_ACCESS_ERROR).expectExplained("rkey");
  }
}
