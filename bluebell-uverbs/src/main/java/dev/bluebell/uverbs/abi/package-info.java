/**
 * The kernel's interface to clients, byte by byte: what the public headers {@code rdma/*.h} of
 * Linux say. {@link dev.bluebell.uverbs.abi.Field}, {@link dev.bluebell.uverbs.abi.Structure} and
 * {@link dev.bluebell.uverbs.abi.AbiView} are to these structures what the classes of {@code
 * dev.bluebell.hca.command} are to PRM commands; numbers here are in the byte order of the machine.
 */
@NullMarked
package dev.bluebell.uverbs.abi;

import org.jspecify.annotations.NullMarked;
