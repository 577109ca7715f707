/**
 * The pages that a client and the device share: those that the client maps from its device file,
 * and those of its own memory that the device has mapped too.
 */
@NullMarked
package dev.bluebell.uverbs.pages;

import org.jspecify.annotations.NullMarked;
