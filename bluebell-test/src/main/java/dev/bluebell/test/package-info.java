/**
 * Tests of RDMA code without a card: {@link dev.bluebell.test.Rdma} injects a software ConnectX
 * into a JUnit test, in virtual time.
 */
@NullMarked
package dev.bluebell.test;

import org.jspecify.annotations.NullMarked;
