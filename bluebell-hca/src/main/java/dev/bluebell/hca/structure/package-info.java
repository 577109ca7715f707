/**
 * Definitions of formats, written once: a {@link dev.bluebell.hca.structure.Structure} has {@link
 * dev.bluebell.hca.structure.Field}s and nested {@link dev.bluebell.hca.structure.Area}s, and a
 * {@link dev.bluebell.hca.structure.View} reads and writes them in an array of bytes. The
 * hardware's formats are big-endian and consist of bits, those of the kernel's interface are
 * little-endian and consist of bytes; each field knows which.
 */
@NullMarked
package dev.bluebell.hca.structure;

import org.jspecify.annotations.NullMarked;
