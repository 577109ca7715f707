/**
 * Tests of RDMA code without a card: {@link dev.bluebell.test.Rdma} gives a JUnit test a software
 * ConnectX of its own, in virtual time.
 */
@NullMarked
package dev.bluebell.test;

import org.jspecify.annotations.NullMarked;
